import type { ConsoleSessionJson } from '@quipu/wire'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'

export type Right = ConsoleSessionJson['rights'][number]

export const SessionContext = createContext<ConsoleSessionJson | null>(null)

/** The open session. Every page is below it. */
export function useSession(): ConsoleSessionJson {
  const session = useContext(SessionContext)
  if (!session) throw new Error('the page is rendered outside a session')
  return session
}

/** Whether the person's role allows what this role may do. */
export function useRight(right: Right): boolean {
  return useSession().rights.includes(right)
}
