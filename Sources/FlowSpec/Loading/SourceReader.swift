/// The loader's only access to the file system: one function for folders and one for files.
public struct SourceReader: Sendable {
  /// The absolute path of the working folder.
  ///
  /// A lookup from a relative path continues upwards through this path's parent folders. If the path is empty, nothing
  /// above the working folder is read.
  public var workingFolder: String
  /// Returns the names of the files and folders directly in a folder, in any order; nil if the folder does not exist.
  ///
  /// An empty path means the working folder.
  public var names: @Sendable (_ folder: String) throws(SourceReadError) -> [String]?
  /// Returns the bytes of a file.
  public var bytes: @Sendable (_ path: String) throws(SourceReadError) -> [UInt8]

  /// Creates a reader from two functions.
  public init(
    workingFolder: String = "",
    names: @escaping @Sendable (_ folder: String) throws(SourceReadError) -> [String]?,
    bytes: @escaping @Sendable (_ path: String) throws(SourceReadError) -> [UInt8]
  ) {
    self.workingFolder = workingFolder
    self.names = names
    self.bytes = bytes
  }

  /// A reader that finds no files. Flow files can then use only their own schemas.
  public static var nothing: SourceReader {
    SourceReader(
      names: { (_) throws(SourceReadError) in nil },
      bytes: { (path) throws(SourceReadError) in throw SourceReadError("there is no file '\(path)'") })
  }
}

/// The error for a file or a folder that cannot be read.
public struct SourceReadError: Error, Sendable, Hashable {
  /// The cause of the error: lower case, no full stop, for example `permission denied`.
  public var message: String

  /// Builds an error.
  public init(_ message: String) { self.message = message }
}
