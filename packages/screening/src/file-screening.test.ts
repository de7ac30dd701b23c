import { mkdtempSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type PublishedList, screeningContract } from '@quipu/contracts'
import { senderSubject } from '@quipu/core'
import { expect, onTestFinished, test } from 'vitest'
import { fileScreening } from './file-screening.ts'
import { ListRefused, readList } from './list-file.ts'

const textOf = ({ list, version, entries }: PublishedList): string =>
  [
    `list,${list},${version}`,
    ...entries.map(({ kind, text, reason }) => `${kind},${text},${reason}`),
    `end,${entries.length}`,
  ].join('\n')

function newFile(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'screening-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'list.csv')
  writeFileSync(path, text)
  return path
}

screeningContract('a file', async (list) => {
  const path = newFile(textOf(list))
  const screening = fileScreening({ path })
  const publish = async (next: PublishedList): Promise<void> => {
    writeFileSync(path, textOf(next))
    screening.reload()
  }
  return { screening, publish }
})

const list = 'list,own,1\n# a comment\n\naddress,T1,stolen\r\nname,Andina, Comercial,fraud\nend,2\n'

test('a list has comments, empty lines and names with commas', () => {
  expect(readList(list)).toEqual({
    list: 'own',
    version: '1',
    addresses: new Map([['T1', 'stolen']]),
    names: new Map([['ANDINA COMERCIAL', 'fraud']]),
  })
})

test.each([
  ['', 'line 1: must be list,<name>,<version>'],
  ['list,own\nend,0', 'line 1: must be list,<name>,<version>'],
  ['list,own,1\naddress,T1,x', 'line 2: must be end,0, the number of entries'],
  ['list,own,1\naddress,T1,x\nend,2', 'line 3: must be end,1, the number of entries'],
  ['list,own,1\nperson,Ana,x\nname,!,x\nname,Ana,\nend,3', 'line 2: must be address,<address>,<reason> or name'],
])('the file %j is refused: %s', (text, message) => {
  expect(() => readList(text)).toThrow(message)
})

test('every malformed line is named, at most twenty', () => {
  const broken = `list,own,1\n${'x\n'.repeat(25)}end,25`
  expect(() => readList(broken)).toThrow(/line 2: .*line 21: .*; and 5 more$/)
  expect(() => fileScreening({ path: newFile(broken) })).toThrow(ListRefused)
})

test('a changed file that is refused or gone leaves the list in force, and is reported once', () => {
  const path = newFile(list)
  const reported: unknown[] = []
  const screening = fileScreening({
    path,
    onLoad: (loaded) => reported.push(loaded),
    onRefused: (text) => reported.push(text),
  })
  screening.reload()
  expect(reported).toEqual([])
  writeFileSync(path, list.slice(0, -4)) // It is being written.
  screening.reload()
  screening.reload()
  expect(reported).toEqual([expect.stringContaining('must be end')])
  expect(screening.screen(senderSubject('T1'))).toMatchObject({ outcome: 'listed', version: '1' })
  writeFileSync(path, 'list,own,2\nend,0')
  screening.reload()
  expect(reported.slice(1)).toEqual([{ list: 'own', version: '2', entries: 0 }])
  expect(screening.screen(senderSubject('T1'))).toEqual({ outcome: 'clear', list: 'own', version: '2' })
  unlinkSync(path)
  screening.reload()
  expect(reported.at(-1)).toMatch('ENOENT')
  expect(screening.screen(senderSubject('T1'))).toEqual({ outcome: 'clear', list: 'own', version: '2' })
})
