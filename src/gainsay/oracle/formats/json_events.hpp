// Events in JSON: one object per line, or one array of objects. Read by nlohmann's parser as it goes, never as a
// whole document.
#pragma once

#include "gainsay/oracle/formats/events.hpp"

namespace gainsay {

void read_json_lines(TextSource& source, const FileNotes& notes, const EventSink& sink);
void read_json_array(TextSource& source, const FileNotes& notes, const EventSink& sink);

}  // namespace gainsay
