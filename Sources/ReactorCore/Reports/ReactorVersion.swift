/// The version of this library and of the program.
public enum ReactorVersion {
  /// The version, as reports, histories and the User-Agent field contain it.
  public static let text = "0.1.0"
}
