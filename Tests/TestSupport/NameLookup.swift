#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// How long a machine's resolver may take in tests. One that loses questions would be waited for beyond the time that a
/// request has, and a name that leads nowhere would be told as slow.
public enum NameLookup {
  /// For programs that are started, as the system's resolver reads it (resolv.conf(5)); elsewhere it means nothing.
  package static let environment = ["RES_OPTIONS": "timeout:1 attempts:1"]

  private static let isBounded: Bool = environment.allSatisfy { setenv($0.key, $0.value, 0) == 0 }

  /// Bounds the lookups of this process; what somebody has set before stays.
  public static func bound() -> Bool { isBounded }
}
