import type { PageJson } from '@quipu/wire'
import type { ConsoleSystem, Lent, Shown } from './console.fixture.ts'
import { type Keyboard, keyboardOf } from './keyboard.fixture.ts'

/** Answers of the operator API to Olivia, whatever a page shows. */
export type OperatorReads = {
  /** @param path  below `/operator/v1` */
  one<T>(path: string): Promise<T>
  list<T>(path: string): Promise<readonly T[]>
}

export function operatorReads(system: () => Pick<ConsoleSystem['api'], 'operator'>): OperatorReads {
  const one = async <T>(path: string): Promise<T> => (await system().operator('GET', `/operator/v1${path}`)).json as T
  return { one, list: async <T>(path: string) => (await one<PageJson<T>>(path)).data }
}

/** Opens a page that is used by keyboard alone. */
export async function openWithKeyboard(system: ConsoleSystem, path: string, shown: Shown): Promise<Lent & Keyboard> {
  const opened = await system.lend(path, shown)
  return { ...opened, ...keyboardOf(opened) }
}
