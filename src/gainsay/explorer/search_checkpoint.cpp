// Search: checkpoints. Everything is written in the order in which it is read.
#include <bit>

#include "gainsay/explorer/search.hpp"

namespace gainsay {

void Search::keep_checkpoint() {
  if (options_.checkpoint.empty() || needs_origin()) return;
  const double begun_s = budget_.elapsed_s();
  try {
    CheckpointWriter out(options_.checkpoint, "explore", facts_);
    write(out);
    out.commit();
    checkpoint_error_.clear();
  } catch (const UserError& error) {
    checkpoint_error_ = error.what();  // the search matters more
  }
  const double ended_s = budget_.elapsed_s();
  next_checkpoint_s_ = ended_s + std::max(std::chrono::duration<double>(options_.checkpoint_every).count(),
                                          10 * (ended_s - begun_s));
}

void Search::write(CheckpointWriter& out) const {
  out.number(static_cast<std::uint64_t>(shared_.kernel.origin()));
  out.number(derivations_.size());
  for (const Derivation& how : derivations_) {
    out.number(static_cast<std::uint64_t>(how.kind));
    out.number(how.cell | (static_cast<std::uint64_t>(how.envelope) << 32U));
    out.number(how.other);
    out.number(how.number);
    out.number(static_cast<std::uint64_t>(how.earliest_ns));
    out.number(static_cast<std::uint64_t>(how.latest_ns));
  }
  const KernelDigest digest = shared_.kernel.digest();
  for (const std::uint64_t part : {digest.values, digest.cells, digest.envelopes, digest.actors, digest.hash})
    out.number(part);
  write_counts(out);
  write_table(out);
  write_frontier(out, frontier_);
  write_frontier(out, next_);
  write_hot(out);
}

void Search::go_on_from(CheckpointReader& in) {
  GAINSAY_CHECK(!begun_, "nothing has been done yet");
  WorldState first;
  shared_.engine.stepper.initial(first);
  read_kernel(in);
  read_counts(in);
  read_table(in);
  read_frontier(in, frontier_);
  read_frontier(in, next_);
  read_hot(in);
  if (!in.at_end()) in.refuse("the checkpoint is from a different version of Gainsay");
  begun_ = true;
}

// Every act that interned something, again; then all ids are what they were, or the code is not what it was.
void Search::read_kernel(CheckpointReader& in) {
  constexpr const char* changed =
      "the handlers behave differently than when the checkpoint was written: they depend on more than their "
      "fields, messages and Context; start again without --resume";
  for (std::size_t left = in.count(); left > 0; --left) {
    Derivation how;
    how.kind = static_cast<DerivationKind>(in.number(static_cast<std::uint64_t>(last_derivation_kind)));
    const std::uint64_t ids = in.number();
    how.cell = static_cast<std::uint32_t>(ids);
    how.envelope = static_cast<std::uint32_t>(ids >> 32U);
    how.other = static_cast<std::uint32_t>(in.number());
    how.number = in.number();
    how.earliest_ns = static_cast<std::int64_t>(in.number());
    how.latest_ns = static_cast<std::int64_t>(in.number());
    const bool image = how.kind >= DerivationKind::value_image;
    if (image ? !shared_.symmetry || !shared_.symmetry->derive(how) : !shared_.kernel.derive(how))
      in.refuse(changed);
  }
  KernelDigest there;
  for (std::uint64_t* part : {&there.values, &there.cells, &there.envelopes, &there.actors, &there.hash})
    *part = in.number();
  if (!(there == shared_.kernel.digest())) in.refuse(changed);
}

void Search::write_counts(CheckpointWriter& out) const {
  for (const std::uint64_t count :
       {std::uint64_t{in_level_}, before_level_.states, before_level_.transitions, depth_,
        std::uint64_t{level_}, transitions(), end_states(), std::uint64_t{shared_.starts_or_gates.load()},
        std::bit_cast<std::uint64_t>(new_per_pending_)})
    out.number(count);
  out.number(levels_.size());
  for (const LevelCount& level : levels_) {
    out.number(level.states);
    out.number(level.transitions);
  }
  out.number(sightings_.size());
  for (const auto& [key, sighting] : sightings_) {
    out.text(key);
    out.number(sighting_depth_.at(key));
    out.text(sighting.violation.property);
    out.text(sighting.violation.message);
    out.number(sighting.violation.actor.raw);
    out.number(sighting.state);
    out.number(sighting.successor);
    out.number(sighting.at_end ? 1 : 0);
    out.number(sighting.permutation);
    out.words(sighting.trail);
  }
  for (std::size_t i = 0; i < shared_.blueprint.properties.size(); ++i) out.number(reached(i) ? 1 : 0);
  for (std::size_t i = 0; i < shared_.kernel.monitors().size(); ++i) out.number(notified(i) ? 1 : 0);
  const std::set<std::string> properties = asymmetric();
  out.number(properties.size());
  for (const std::string& property : properties) out.text(property);
}

void Search::read_counts(CheckpointReader& in) {
  Expander& first = *expanders_.front();
  in_level_ = in.number(1) == 1;
  before_level_.states = in.number();
  before_level_.transitions = in.number();
  depth_ = in.number();
  level_ = static_cast<std::uint16_t>(in.number(0xffffU));
  first.transitions = in.number();
  first.end_states = in.number();
  shared_.starts_or_gates = in.number(1) == 1;
  new_per_pending_ = std::bit_cast<double>(in.number());
  for (std::size_t left = in.count(); left > 0; --left) {
    const std::uint64_t states = in.number();
    levels_.push_back({states, in.number()});
  }
  for (std::size_t left = in.count(); left > 0; --left) {
    const std::string key = in.text();
    sighting_depth_[key] = in.number();
    Sighting sighting;
    sighting.violation.property = in.text();
    sighting.violation.message = in.text();
    sighting.violation.actor = ActorId{in.number()};
    sighting.state = in.number();
    sighting.successor = in.number();
    sighting.at_end = in.number(1) == 1;
    sighting.permutation = in.number();
    in.words(sighting.trail);
    sightings_.emplace(key, std::move(sighting));
  }
  for (std::size_t i = 0; i < shared_.blueprint.properties.size(); ++i) {
    if (in.number(1) == 0) continue;
    for (const auto& expander : expanders_) expander->note_reached(i);
  }
  for (std::size_t i = 0; i < shared_.kernel.monitors().size(); ++i) {
    if (in.number(1) == 1) first.note_notified(i);
  }
  for (std::size_t left = in.count(); left > 0; --left) first.note_asymmetric(in.text());
}

void Search::write_table(CheckpointWriter& out) const {
  out.number(shared_.states());
  if (shared_.bits) {
    for (std::uint64_t i = 0; i < shared_.bits->words(); ++i) out.number(shared_.bits->word_at(i));
  } else {
    shared_.table.each([&](const StateTable::Entry& entry) {
      out.number(entry.key);
      out.number(entry.link);
    });
  }
  if (!shared_.exact) return;
  out.number(shared_.exact->size());
  shared_.exact->each([&](std::uint64_t key, std::span<const std::uint32_t> content) {
    out.number(key);
    out.words(content);
  });
}

void Search::read_table(CheckpointReader& in) {
  const std::uint64_t states = in.number();
  if (shared_.bits) {
    for (std::uint64_t i = 0; i < shared_.bits->words(); ++i) {
      // A word that is never written takes no memory.
      if (const std::uint64_t word = in.number(); word != 0) shared_.bits->put_word(i, word);
    }
    shared_.bit_states = states;
  } else {
    shared_.table.reserve(states);
    for (std::uint64_t left = states; left > 0; --left) {
      const std::uint64_t key = in.number();
      shared_.table.put({key, in.number()});
    }
  }
  if (!shared_.exact) return;
  std::vector<std::uint32_t> content;
  for (std::size_t left = in.count(); left > 0; --left) {
    const std::uint64_t key = in.number();
    in.words(content);
    shared_.exact->put(key, content);
  }
}

void Search::write_frontier(CheckpointWriter& out, const Frontier& frontier) const {
  out.number(frontier.blocks());
  frontier.each([&](const Block& block) {
    out.number(block.states);
    out.number(block.pending);
    out.number(block.trail);
    out.words(block.words);
  });
}

void Search::read_frontier(CheckpointReader& in, Frontier& frontier) {
  for (std::size_t left = in.count(); left > 0; --left) {
    Block block;
    block.states = static_cast<std::uint32_t>(in.number(UINT32_MAX));
    block.pending = in.number();
    block.trail = static_cast<std::uint32_t>(in.number(UINT32_MAX));
    in.words(block.words);
    frontier.push(std::move(block));
  }
}

void Search::write_hot(CheckpointWriter& out) const {
  for (unsigned age = 0; age < HotRecords::ages; ++age) {
    for (const auto& expander : expanders_) {
      expander->hot().each_of_age(age, [&](const std::uint32_t* words) {
        const std::size_t size = record_words(RecordView{words}, shared_.engine.network);
        out.words({words, size});
        return size;
      });
    }
    out.number(0);  // no record is empty
  }
}

void Search::read_hot(CheckpointReader& in) {
  std::vector<std::uint32_t> words;
  for (unsigned age = 0; age < HotRecords::ages; ++age) {
    if (age > 0) expanders_.front()->begin_level();
    for (in.words(words); !words.empty(); in.words(words)) expanders_.front()->add_hot(words);
  }
}

}  // namespace gainsay
