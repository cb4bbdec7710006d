internal import FlowModel
internal import FlowSpec
internal import SourceDiagnostics
internal import Storage
package import TimeSyntax

/// Finds time zones by their names.
package struct ZoneDatabase: Sendable {
  /// Returns the rules of a zone by its name, which must be safe as a path; nil if the database does not have the zone.
  package let rules: @Sendable (String) -> ZoneRules?

  /// Creates a database.
  package init(_ rules: @escaping @Sendable (String) -> ZoneRules?) { self.rules = rules }

  /// The database of this machine.
  package static let system = ZoneDatabase { name in
    for folder in ["/usr/share/zoneinfo", "/var/db/timezone/zoneinfo"] {
      // Files of zones have some thousand bytes. The database of the machine has links: `UTC` is often one.
      if let file = try? WholeFile.read(named: "\(folder)/\(name)", limit: 1 << 20) {
        return ZoneRules(tzif: file.bytes)
      }
    }
    return nil
  }
}

extension ZoneDatabase {
  /// The problem of a zone that the database does not have.
  func problem(with name: Located<String>, _ code: FlowCode) -> Diagnostic {
    let hasDatabase = rules("UTC") != nil
    return Diagnostic(
      code.code,
      hasDatabase
        ? "there is no time zone '\(name.value)'"
        : "this machine has no time zone database, which '\(name.value)' needs",
      at: name.range,
      help: hasDatabase
        ? "write a name of the time zone database, for example Europe/Berlin or America/New_York"
        : "install it (on Debian the package 'tzdata')")
  }

  /// Reports zones of schedules that the database does not have.
  ///
  /// A run does not use schedules, so it needs no database for them: only checks and exports call this.
  func checkSchedules(of flows: [FlowDeclaration], _ diagnostics: inout DiagnosticBag) {
    var known: Set<String> = []
    for index in flows.indices {
      guard let zone = flows[index].schedule?.value.zone, !known.contains(zone.value) else { continue }
      if rules(zone.value) == nil {
        diagnostics.report(problem(with: zone, .invalidSchedule))
      } else {
        known.insert(zone.value)
      }
    }
  }
}
