#include "systems/libraft/convert.hpp"

#include <array>
#include <charconv>
#include <cstring>
#include <stdexcept>

namespace libraft {
namespace {

constexpr std::size_t command_bytes = sizeof(Command);
constexpr std::size_t barrier_bytes = 8;
constexpr std::size_t addresses = 16;

char role_letter(int role) { return role == RAFT_VOTER ? 'v' : role == RAFT_STANDBY ? 's' : 'r'; }
int role_of(char letter) { return letter == 'v' ? RAFT_VOTER : letter == 's' ? RAFT_STANDBY : RAFT_SPARE; }

std::string server_text(std::uint64_t id, int role) { return std::to_string(id) + role_letter(role); }

// As raft_configuration_encode writes it: a byte, the number of servers, and id, address and role of each.
std::string decoded_servers(const raft_buffer& raw) {
  const auto* at = static_cast<const unsigned char*>(raw.base);
  const auto* const end = at + raw.len;
  const auto number = [&]() -> std::uint64_t {
    std::uint64_t value = 0;
    if (end - at < 8) return 0;
    std::memcpy(&value, at, 8);
    at += 8;
    return value;
  };
  if (raw.len < 9 || *at++ != 1) return "?";
  std::string text;
  for (std::uint64_t left = number(); left > 0 && left < addresses; --left) {
    const std::uint64_t id = number();
    while (at < end && *at != 0) ++at;
    if (end - at < 2) return "?";
    ++at;
    text += (text.empty() ? "" : " ") + server_text(id, *at++);
  }
  return text;
}

raft_buffer payload_of(const Entry& entry) {
  raft_buffer buffer{};
  if (entry.kind == EntryKind::change) {
    raft_configuration configuration{};
    make_configuration(entry.servers, configuration);
    raft_configuration_encode(&configuration, &buffer);
    raft_configuration_close(&configuration);
  } else {
    buffer.len = entry.kind == EntryKind::command ? command_bytes : barrier_bytes;
    buffer.base = raft_malloc(buffer.len);
    if (buffer.base == nullptr) return {};
    std::memset(buffer.base, 0, buffer.len);
    if (entry.kind == EntryKind::command) std::memcpy(buffer.base, &entry.command, command_bytes);
  }
  return buffer;
}

}  // namespace

const char* address_of(std::uint64_t id) {
  static constexpr std::array<const char*, addresses> texts{"0", "1", "2",  "3",  "4",  "5",  "6",  "7",
                                                            "8", "9", "10", "11", "12", "13", "14", "15"};
  return id < texts.size() ? texts[id] : "?";
}

Entry entry_of(const raft_entry& raw) {
  Entry entry;
  entry.term = raw.term;
  if (raw.type == RAFT_COMMAND && raw.buf.len == command_bytes) {
    entry.kind = EntryKind::command;
    std::memcpy(&entry.command, raw.buf.base, command_bytes);
  } else if (raw.type == RAFT_BARRIER) {
    entry.kind = EntryKind::barrier;
  } else if (raw.type == RAFT_CHANGE) {
    entry.kind = EntryKind::change;
    entry.servers = decoded_servers(raw.buf);
  }
  return entry;
}

std::string servers_of(const raft_configuration& raw) {
  std::string text;
  for (unsigned i = 0; i < raw.n; ++i)
    text += (i == 0 ? "" : " ") + server_text(raw.servers[i].id, raw.servers[i].role);
  return text;
}

FsmState state_of(const raft_buffer& raw) {
  FsmState state;
  if (raw.len == sizeof state) std::memcpy(&state, raw.base, sizeof state);
  return state;
}

Snapshot snapshot_of(const raft_snapshot& raw) {
  Snapshot snapshot{raw.index, raw.term, servers_of(raw.configuration), raw.configuration_index, {}};
  if (raw.n_bufs == 1) snapshot.state = state_of(raw.bufs[0]);
  return snapshot;
}

raft_entry* make_entries(const std::vector<Entry>& entries) {
  if (entries.empty()) return nullptr;
  auto* const raw = static_cast<raft_entry*>(raft_malloc(entries.size() * sizeof(raft_entry)));
  if (raw == nullptr) return nullptr;
  std::vector<raft_buffer> payloads;
  std::size_t bytes = 0;
  for (const Entry& entry : entries) {
    payloads.push_back(payload_of(entry));
    bytes += payloads.back().len;
  }
  auto* const batch = static_cast<unsigned char*>(raft_malloc(bytes));
  std::size_t at = 0;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    raw[i].term = entries[i].term;
    raw[i].type = static_cast<unsigned short>(entries[i].kind);
    raw[i].buf = {batch == nullptr ? nullptr : batch + at, payloads[i].len};
    raw[i].batch = batch;
    if (batch != nullptr && payloads[i].base != nullptr)
      std::memcpy(batch + at, payloads[i].base, payloads[i].len);
    at += payloads[i].len;
    raft_free(payloads[i].base);
  }
  return raw;
}

void make_configuration(const std::string& servers, raft_configuration& raw) {
  raft_configuration_init(&raw);
  const char* at = servers.data();
  const char* const end = at + servers.size();
  while (at != end) {  // "1v 2v 3s"
    std::uint64_t id = 0;
    const auto [letter, error] = std::from_chars(at, end, id);
    if (error != std::errc{} || letter == end)
      throw std::invalid_argument("servers that cannot be read: " + servers);
    raft_configuration_add(&raw, id, address_of(id), role_of(*letter));
    at = letter + 1;
    if (at != end) ++at;
  }
}

raft_buffer make_state(const FsmState& state) {
  raft_buffer buffer{raft_malloc(sizeof state), sizeof state};
  if (buffer.base != nullptr) std::memcpy(buffer.base, &state, sizeof state);
  return buffer;
}

raft_snapshot* make_snapshot(const Snapshot& snapshot) {
  auto* const raw = static_cast<raft_snapshot*>(raft_malloc(sizeof(raft_snapshot)));
  if (raw == nullptr) return nullptr;
  raw->index = snapshot.index;
  raw->term = snapshot.term;
  make_configuration(snapshot.servers, raw->configuration);
  raw->configuration_index = snapshot.servers_index;
  raw->n_bufs = 1;
  raw->bufs = static_cast<raft_buffer*>(raft_malloc(sizeof(raft_buffer)));
  if (raw->bufs != nullptr) raw->bufs[0] = make_state(snapshot.state);
  return raw;
}

}  // namespace libraft
