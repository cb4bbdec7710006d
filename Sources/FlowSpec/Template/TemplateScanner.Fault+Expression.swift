import Expressions

extension TemplateScanner.TemplateError {
  /// A mistake in an expression whose text begins at a byte.
  init(_ fault: ExpressionError, from start: Int) {
    let code: FlowCode =
      switch fault.kind {
      case .empty, .tooLong, .tooDeep, .unexpectedCharacter, .unclosedText, .badEscape, .badNumber, .unexpectedToken:
        .expressionSyntax
      case .unknownName: .templateUnknownRoot
      case .unknownMember, .unknownFunction, .hiddenName, .repeatedKey: .expressionName
      case .argumentCount, .wrongType, .badArgument: .expressionType
      case .mayBeMissing: .expressionMissing
      }
    self.init(
      code: code, message: fault.message,
      offsets: start + fault.range.lowerBound..<start + fault.range.upperBound, help: fault.help,
      replacement: fault.suggestion)
  }
}
