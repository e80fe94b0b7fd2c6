// Trace files: a TraceDocument as JSON lines that a person can read, diff and grep.
//
//   {"format":"gainsay-trace","version":1,"scenario":"flush_race",...,"chain":"5f0c2a91"}     who ran, and
//   how
//   {"step":1,"id":"8c1f...","kind":"deliver","to":"logger",...,"chain":"07be11d4"}           one line per
//   step
//   {"end":"violated","violation":{...},"chain":"c95d0a3e"}                                   the verdict
//
// Steps are numbered from 1, as everywhere a person sees them; `cause` is the number of the step that sent
// the message. A line's chain is a running hash over it and everything above, so whoever edits a line is told
// which. It guards against accidents and well-meant edits, not against forgers. Invariant: a file that is
// read without complaint is written again byte for byte, because a line that is not exactly what the writer
// would have written is refused.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>

#include "gainsay/trace/document.hpp"

namespace gainsay {

inline constexpr std::uint64_t trace_format_version = 1;
inline constexpr std::size_t trace_line_bytes_max = std::size_t{16} << 20U;

// Texts that are not UTF-8 are written with U+FFFD in place of what is not. Throws UserError if a step is too
// large.
void write_trace(std::ostream& out, const TraceDocument& document);
// Writes beside the file, then renames, so that no half-written trace is ever seen. Makes missing folders.
// Returns `path`.
std::string write_trace_file(const std::string& path, const TraceDocument& document);

// Both throw UserError with one line, `FILE:LINE: what is wrong; what was expected`.
TraceDocument read_trace(std::istream& in, const std::string& file_name);
TraceDocument read_trace_file(const std::string& path);

// The running hash after one more line, whose content is all of it before `,"chain":`. The first line's
// `before` is 0.
std::uint64_t trace_chain(std::uint64_t before, std::string_view content);

}  // namespace gainsay
