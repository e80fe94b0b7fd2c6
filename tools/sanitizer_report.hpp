// A program that is built with AddressSanitizer, UndefinedBehaviorSanitizer or another sanitizer is ended by it: it
// prints its report and leaves with neither a signal nor exit(). Here one can ask to be told before that.
//
// This program itself need not be built with one: a user's code may be, and brings the sanitizer with it. So nothing
// but names that may be missing is asked for.
#pragma once

namespace gainsay::tools {

// Called by the thread that is being ended, with "AddressSanitizer (heap-buffer-overflow)" or the like. May do only
// what a signal handler may do. Replaces a callback that the user's code has set.
using ReportCallback = void (*)(const char* report);
void on_sanitizer_report(ReportCallback callback);

}  // namespace gainsay::tools
