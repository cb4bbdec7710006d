internal import Databases

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

extension SharedRun.Member {
  /// This process.
  package static func current() -> SharedRun.Member {
    var name = [CChar](repeating: 0, count: 256)
    gethostname(&name, name.count - 1)
    let host = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return SharedRun.Member(id: TableLoad.newID(), host: host, pid: getpid())
  }
}
