// A target for libFuzzer: whatever bytes a file holds, the readers either make a history of it or say what is wrong.
// tests/fuzz/run.sh builds it with clang and runs it for some minutes.
//
// The first byte picks the format, the rest is the file.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "gainsay/base/check.hpp"
#include "gainsay/oracle/formats/history_file.hpp"
#include "gainsay/oracle/transactions/check.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using gainsay::HistoryFormat;
  if (size == 0) return 0;
  const auto format = static_cast<HistoryFormat>(data[0] % 7);
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  try {
    gainsay::TextSource source(text, "fuzz");
    gainsay::read_history(source, format);
  } catch (const gainsay::UserError&) {
  }
  for (const auto model : {gainsay::TransactionModel::list_append, gainsay::TransactionModel::rw_register}) {
    try {
      gainsay::TextSource source(text, "fuzz");
      const gainsay::TransactionHistory history = gainsay::read_transactions(source, model, format);
      gainsay::TransactionOptions options;
      options.level = static_cast<gainsay::IsolationLevel>(data[0] / 7 % 6);
      const auto report = gainsay::check_transactions(history, model, options);
      for (const gainsay::Anomaly& anomaly : report.anomalies) gainsay::explanation(history, model, anomaly);
    } catch (const gainsay::UserError&) {
    }
  }
  return 0;
}
