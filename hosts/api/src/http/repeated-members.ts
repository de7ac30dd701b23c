const fieldsMax = 10

/**
 * The members that an object of a JSON text repeats; `JSON.parse` silently keeps the last of them.
 *
 * Compares counts first, and searches only when the text has more members than the value.
 *
 * @param text   valid JSON
 * @param value  what `JSON.parse` made of it
 * @returns dotted paths, at most ten; none when no member is repeated
 */
export const repeatedMembers = (text: string, value: unknown): readonly string[] =>
  membersOfText(text) === membersOfValue(value) ? [] : findRepeated(text)

const [quote, colon, backslash] = [0x22, 0x3a, 0x5c]

/** Counts colons outside of strings: each member has exactly one. */
function membersOfText(text: string): number {
  let members = 0
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (char === colon) members += 1
    else if (char === quote) at = endOfString(text, at)
  }
  return members
}

/** The position of the closing quote of the string that begins at `start`. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; ; at++) {
    at = text.indexOf('"', at)
    let escapes = 0
    while (text.charCodeAt(at - 1 - escapes) === backslash) escapes += 1
    if (escapes % 2 === 0) return at
  }
}

/** Without recursion: a body can nest tens of thousands of levels. */
function membersOfValue(value: unknown): number {
  let members = 0
  const open = [value]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== 'object' || next === null) continue
    const values: unknown[] = Array.isArray(next) ? next : Object.values(next)
    if (values !== next) members += values.length
    for (const each of values) if (typeof each === 'object') open.push(each)
  }
  return members
}

/** An object or array around the current position. */
type Level = {
  /** The member names so far; undefined in an array. */
  readonly names: Set<string> | undefined
  /** Name of the current member, or index of the current item. */
  at: string | number
  /** Whether the next string is a member's name. */
  isName: boolean
}

function findRepeated(text: string): readonly string[] {
  const found = new Set<string>()
  const levels: Level[] = []
  for (let at = 0; at < text.length && found.size < fieldsMax; at++) {
    const level = levels.at(-1)
    switch (text.charAt(at)) {
      case '{':
        levels.push({ names: new Set(), at: '', isName: true })
        break
      case '[':
        levels.push({ names: undefined, at: 0, isName: false })
        break
      case '}':
      case ']':
        levels.pop()
        break
      case ',':
        if (level) toNext(level)
        break
      case '"': {
        const end = endOfString(text, at)
        if (level?.isName && isRepeated(level, text.slice(at, end + 1)))
          found.add(levels.map((each) => (each.at === '' ? '""' : each.at)).join('.'))
        at = end
      }
    }
  }
  return [...found]
}

function toNext(level: Level): void {
  if (typeof level.at === 'number') level.at += 1
  else level.isName = true
}

/** Whether the object has the name already. @param token  with its quotes and escapes */
function isRepeated(level: Level, token: string): boolean {
  const name = JSON.parse(token) as string
  const isKnown = level.names?.has(name) === true
  level.names?.add(name)
  level.at = name
  level.isName = false
  return isKnown
}
