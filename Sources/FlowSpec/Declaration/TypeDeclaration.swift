package import FieldTypes

/// A field's type as a file declares it.
package typealias TypeDeclaration = DeclaredType<FieldDeclaration>
