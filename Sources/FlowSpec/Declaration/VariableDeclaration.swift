/// A variable: a typed value that the file gives and the command line may replace.
public struct VariableDeclaration: Sendable {
  /// Its name, as templates use it after `vars.`.
  public var name: Located<String>
  /// How its text is read.
  public var type: VariableType
  /// Its value when nothing replaces it; nil means that one must be given.
  public var defaultValue: VariableValue?
  /// What it is for.
  public var description: String?
}
