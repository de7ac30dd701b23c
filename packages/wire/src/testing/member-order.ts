import { type JsonSchema, resolveSchema, schemaFaults, type SchemaDocument } from './json-schema.ts'

/**
 * The places in a JSON value whose members are in another order than the schema declares them. Members that the
 * schema does not declare are ignored.
 *
 * @returns such as `$.items[0].source`; none when the value satisfies no alternative of the schema
 */
export function disorderedMembers(
  given: JsonSchema,
  value: unknown,
  document: SchemaDocument,
  place = '$',
): readonly string[] {
  const schema = resolveSchema(given, document)
  const alternatives = [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])]
  const fitting = alternatives.find((each) => schemaFaults(each, value, document).length === 0)
  const ofAlternative = fitting ? disorderedMembers(fitting, value, document, place) : []
  if (typeof value !== 'object' || value === null) return ofAlternative
  if (Array.isArray(value)) {
    const { items } = schema
    return [
      ...ofAlternative,
      ...value.flatMap((item: unknown, index) =>
        items ? disorderedMembers(items, item, document, `${place}[${index}]`) : [],
      ),
    ]
  }
  const members = value as Readonly<Record<string, unknown>>
  const declared = Object.keys(schema.properties ?? {})
  const written = Object.keys(members).filter((name) => declared.includes(name))
  const inOrder = declared.filter((name) => name in members)
  return [
    ...ofAlternative,
    ...(written.join() === inOrder.join() ? [] : [place]),
    ...written.flatMap((name) => {
      const property = schema.properties?.[name]
      return property ? disorderedMembers(property, members[name], document, `${place}.${name}`) : []
    }),
  ]
}
