public import FieldTypes

/// A field's type as a file declares it.
public typealias TypeDeclaration = DeclaredType<FieldDeclaration>
