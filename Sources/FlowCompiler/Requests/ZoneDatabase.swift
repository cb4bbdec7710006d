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
