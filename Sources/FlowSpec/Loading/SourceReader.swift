/// The loader's only access to a disk: two functions, for folders and for files.
public struct SourceReader: Sendable {
  /// The working folder, absolute: the limit for lookups upwards from a relative path. If it is empty, nothing above
  /// the working folder is read.
  public var workingFolder: String
  /// The names directly in a folder, in any order; nil if the folder does not exist. An empty path is the working
  /// folder.
  public var names: @Sendable (_ folder: String) throws(SourceReadError) -> [String]?
  /// The bytes of a file.
  public var bytes: @Sendable (_ path: String) throws(SourceReadError) -> [UInt8]

  /// Takes the two functions.
  public init(
    workingFolder: String = "",
    names: @escaping @Sendable (_ folder: String) throws(SourceReadError) -> [String]?,
    bytes: @escaping @Sendable (_ path: String) throws(SourceReadError) -> [UInt8]
  ) {
    self.workingFolder = workingFolder
    self.names = names
    self.bytes = bytes
  }

  /// Finds nothing: flow files can use only their own schemas.
  public static var nothing: SourceReader {
    SourceReader(
      names: { (_) throws(SourceReadError) in nil },
      bytes: { (path) throws(SourceReadError) in throw SourceReadError("there is no file '\(path)'") })
  }
}

/// Why a file or a folder could not be read.
public struct SourceReadError: Error, Sendable, Hashable {
  /// The cause, lower case, no full stop: `permission denied`.
  public var message: String

  /// Builds an error.
  public init(_ message: String) { self.message = message }
}
