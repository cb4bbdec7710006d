internal import RunViews
internal import Storage

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A folder with a dashboard as files.
///
/// Each page is written beside its place and renamed, so that a reader never sees half of one, and the start is the last.
/// Pages of flows that are no more are removed then. A folder with other content is left alone: a file with a name of its
/// own says that the folder has a dashboard.
struct DashboardFolder {
  /// The name and the content of the file that marks a folder.
  private static let (mark, content) = (".reactor-dashboard", "reactor dashboard 1\n")

  private let folder: String

  /// Uses a folder that a person named.
  init(_ folder: String) { self.folder = WholeFile.resolvingLinks(in: folder) }

  /// Writes all pages; returns their number.
  ///
  /// - Parameter now: seconds since 1970
  func write(_ dashboard: Dashboard, at now: Int64) throws(CommandError) -> Int {
    let present = try present()
    guard present.isEmpty || present.contains(Self.mark) else {
      throw CommandError("'\(folder)' has files that are not of a dashboard", help: "name a new or an empty folder")
    }
    do throws(WholeFile.AccessError) {
      try WholeFile.replace(path(Self.mark)) { Array(Self.content.utf8) }
      let names = dashboard.names(at: now)
      for name in names {
        guard let page = dashboard.page(name, at: now) else { continue }
        // The pages can be made again at any time, and syncing each of thousands would take minutes.
        try WholeFile.replace(path(name), survivesPowerLoss: false) { page }
      }
      for name in Set(present.filter(Dashboard.isPage)).subtracting(names) where unlink(path(name)) != 0 {
        throw WholeFile.AccessError(errno)
      }
      return names.count
    } catch {
      throw CommandError("'\(folder)' cannot be written: \(error.message)", .notWritten)
    }
  }

  /// The names that are in the folder already.
  private func present() throws(CommandError) -> [String] {
    do throws(WholeFile.AccessError) {
      return try WholeFile.names(in: folder, isNamed: true) ?? []
    } catch {
      throw CommandError("'\(folder)' cannot be read: \(error.message)", .notWritten)
    }
  }

  private func path(_ name: String) -> String { folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)" }
}
