import TestSupport

/// What kills did.
struct KillTally: CustomStringConvertible {
  var trials = 0
  var killed = 0
  var replaced = 0
  var thirds = 0
  var leftovers = 0
  var unfixed = 0

  mutating func count(_ outcome: Program.Outcome) {
    trials += 1
    if outcome.status == 137 { killed += 1 }
  }

  var description: String {
    "\(trials) runs, \(killed) killed before their end, \(replaced) files already new, \(thirds) third states, "
      + "\(leftovers) left something for the rerun, \(unfixed) not fixed by it"
  }
}
