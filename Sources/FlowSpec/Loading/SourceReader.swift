/// The loader's only way to a disk, given by whoever starts it: two questions about folders and files.
public struct SourceReader: Sendable {
  /// The working folder, absolute: tells how far upwards a relative path can be followed. Empty when unknown; then
  /// nothing above the working folder is looked at.
  public var workingFolder: String
  /// The names directly in a folder, in any order; nil where there is no such folder. An empty path is the working
  /// folder.
  public var names: @Sendable (_ folder: String) throws(SourceReadError) -> [String]?
  /// The bytes of a file.
  public var bytes: @Sendable (_ path: String) throws(SourceReadError) -> [UInt8]

  /// Takes the two responses.
  public init(
    workingFolder: String = "",
    names: @escaping @Sendable (_ folder: String) throws(SourceReadError) -> [String]?,
    bytes: @escaping @Sendable (_ path: String) throws(SourceReadError) -> [UInt8]
  ) {
    self.workingFolder = workingFolder
    self.names = names
    self.bytes = bytes
  }

  /// Finds nothing: flow files then can use only their own schemas.
  public static var nothing: SourceReader {
    SourceReader(
      names: { (_) throws(SourceReadError) in nil },
      bytes: { (path) throws(SourceReadError) in throw SourceReadError("there is no file '\(path)'") })
  }
}
