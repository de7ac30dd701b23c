import { codecs, type Elements, newRoom, reserve, type Room, writeInt4 } from './array-elements.ts'

/** A column of a batch: the type of its elements, and an item's element. Null and undefined become SQL's null. */
export type Column<Item> = {
  readonly [Type in keyof Elements]: readonly [type: Type, of: (item: Item) => Elements[Type] | null | undefined]
}[keyof Elements]

/** The columns of a batch by the names of the function's parameters or of the rows. */
export type Columns<Item> = { readonly [name: string]: Column<Item> }

/** The parallel arrays of a statement: one element an item. */
export type ArrayParameters<Item> = {
  /** In the order of the arrays. */
  readonly names: readonly string[]
  /** The types of the arrays, such as `text[]`. */
  readonly types: readonly string[]
  /** @throws when a value is not of its column's type */
  encode(items: readonly Item[]): readonly Buffer[]
}

/**
 * Arrays of one dimension in PostgreSQL's binary format, which the server parses in a fraction of the time that the
 * text format takes. The driver sends a `Buffer` unchanged.
 *
 * @param tenantOf  the tenant of an item. Then two arrays of the tenants come first: `tenant_ids` has each once and
 *   ascending, which is the order in which wallets are locked; `tenant_indexes` has the place of each item's tenant
 *   among them, from 1.
 */
export function arrayParameters<Item>(
  columns: Columns<Item>,
  tenantOf?: (item: Item) => string,
): ArrayParameters<Item> {
  const room = newRoom(8_192)
  const all = Object.values<Column<Item>>(columns)
  return {
    names: [...(tenantOf ? ['tenant_ids', 'tenant_indexes'] : []), ...Object.keys(columns)],
    types: [...(tenantOf ? ['text[]', 'int4[]'] : []), ...all.map(([type]) => `${type}[]`)],
    encode: (items) => {
      room.at = 0
      const ends = tenantOf ? writeTenants(room, items.map(tenantOf)) : []
      for (const column of all) ends.push(writeArray(room, column, items))
      return slices(room, ends)
    },
  }
}

function writeTenants(room: Room, tenantIds: readonly string[]): number[] {
  const ascending = [...new Set(tenantIds)].sort()
  const places = new Map(ascending.map((tenantId, index) => [tenantId, index + 1]))
  return [
    writeArray(room, ['text', (tenantId: string) => tenantId], ascending),
    writeArray(room, ['int4', (tenantId: string) => places.get(tenantId)], tenantIds),
  ]
}

/** The arguments of a call: `name => $1, ...`. The server refuses a name or a type that its function lacks. */
export const namedArguments = (names: readonly string[]): string =>
  names.map((name, index) => `${name} => $${index + 1}`).join(', ')

/** The rows of the first parameters, in the order of their column `place`. */
export const rowsOf = ({ names, types }: ArrayParameters<never>, alias: string): string =>
  `unnest(${types.map((type, index) => `$${index + 1}::${type}`).join(', ')}) with ordinality
      ${alias} (${names.join(', ')}, place)`

const headerSize = 20

/** @returns the end of the array. @source PostgreSQL's `array_recv` */
function writeArray<Item>(room: Room, [type, of]: Column<Item>, items: readonly Item[]): number {
  const { oid, sizeMax, write } = codecs[type]
  reserve(room, headerSize)
  const start = room.at
  const hasItems = items.length > 0 ? 1 : 0
  writeInt4(room, hasItems) // dimensions
  writeInt4(room, 0) // Whether an element is null.
  writeInt4(room, oid)
  if (!hasItems) return room.at
  writeInt4(room, items.length)
  writeInt4(room, 1) // The first index.
  for (const item of items) {
    const value = of(item)
    if (value === null || value === undefined) {
      reserve(room, 4)
      writeInt4(room, -1)
      room.view.setInt32(start + 4, 1)
      continue
    }
    reserve(room, 4 + sizeMax(value as never))
    const at = room.at
    room.at += 4
    write(room, value as never)
    room.view.setInt32(at, room.at - at - 4)
  }
  return room.at
}

/** Copies, as the room is written again before the driver may have sent them. */
function slices({ bytes, at }: Room, ends: readonly number[]): readonly Buffer[] {
  const copy = Buffer.from(bytes.subarray(0, at))
  let start = 0
  return ends.map((end) => copy.subarray(start, (start = end)))
}
