#include "gainsay/execution/kernel/derivation.hpp"

#include "gainsay/execution/kernel/kernel.hpp"

namespace gainsay {

bool Kernel::derive(const Derivation& how) {
  const auto has_cell = [&] { return how.cell > 0 && how.cell < interner_.cells(); };
  const auto has_envelope = [&] { return how.envelope > 0 && how.envelope < interner_.envelopes(); };
  const auto status = [&] { return has_cell() ? interner_.cell(how.cell).status : ActorStatus::absent; };
  switch (how.kind) {
    case DerivationKind::leaves:
      if (!has_cell() || !has_envelope()) return false;
      leaves(how.cell, how.envelope, {how.earliest_ns, how.latest_ns});
      return true;
    case DerivationKind::crashed:
      if (status() != ActorStatus::alive) return false;
      crashed(how.cell);
      return true;
    case DerivationKind::restarted:
      if (status() != ActorStatus::crashed) return false;
      restarted(how.cell);
      return true;
    case DerivationKind::recreated:
      if (status() != ActorStatus::alive && status() != ActorStatus::crashed) return false;
      recreated(how.cell);
      return true;
    case DerivationKind::with_disk:
      if (!has_cell() || how.other >= static_cast<std::uint32_t>(Disk::cached) ||
          interner_.cell(how.cell).disk != Disk::sound)
        return false;
      with_disk(how.cell, static_cast<Disk>(how.other));
      return true;
    case DerivationKind::own_envelope:
      if (how.other >= directory_.size()) return false;
      own_envelope(how.other, static_cast<EventKind>(how.number));
      return true;
    case DerivationKind::corrupted:
      if (!has_envelope() || interner_.envelope(how.envelope).message == 0) return false;
      corrupted(how.envelope);
      return true;
    case DerivationKind::value_image:
    case DerivationKind::cell_image:
    case DerivationKind::envelope_image:
      return false;
  }
  return false;
}

KernelDigest Kernel::digest() const {
  KernelDigest digest{interner_.values(), interner_.cells(), interner_.envelopes(), directory_.size(), 0};
  Hasher hasher;
  for (ValueId id = 1; id < digest.values; ++id) hasher.add(interner_.value(id).hash);
  for (CellId id = 1; id < digest.cells; ++id) hasher.add(interner_.cell(id).hash);
  for (EnvelopeId id = 1; id < digest.envelopes; ++id) hasher.add(interner_.envelope(id).hash);
  for (Slot slot = 0; slot < digest.actors; ++slot) hasher.add(directory_.id_of(slot).raw);
  digest.hash = hasher.finish();
  return digest;
}

}  // namespace gainsay
