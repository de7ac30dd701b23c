import type { ConsoleSessionJson } from '@quipu/wire'
import { request, RequestFailure } from './request.ts'
import { type Store, store } from '../store.ts'
import { wasHere } from './presence.ts'

/** Who is signed in; `none` with the reason when nobody is, `unknown` until the first answer. */
export type SessionState =
  | { readonly is: 'unknown' }
  | { readonly is: 'none'; readonly because: 'start' | 'ended' | 'signed_out' | 'unreachable' }
  | { readonly is: 'open'; readonly session: ConsoleSessionJson }

export const sessionState: Store<SessionState> = store<SessionState>({ is: 'unknown' })

/** Asks whether this browser is signed in. */
export async function findSession(): Promise<void> {
  try {
    const session = await request<ConsoleSessionJson>('/session')
    sessionState.set({ is: 'open', session })
  } catch (error) {
    const isAnswered = error instanceof RequestFailure && error.status !== 0
    sessionState.set({ is: 'none', because: isAnswered ? 'start' : 'unreachable' })
  }
}

/** How people can sign in here. */
export type SignInOptions = { readonly token: boolean; readonly oidc: boolean }

export const signInOptions = (): Promise<SignInOptions> => request<SignInOptions>('/sign-in/options')

/**
 * @param code  of the second factor; left out: the person may have none
 * @throws RequestFailure when token or code are not accepted, or a code is missing
 */
export async function signIn(token: string, code?: string): Promise<void> {
  const body = { token, ...(code !== undefined && { code }) }
  const session = await request<ConsoleSessionJson>('/session', { method: 'POST', body })
  sessionState.set({ is: 'open', session })
}

export async function signOut(): Promise<void> {
  const answer = await authorized<{ readonly provider_url: string } | undefined>('/session', { method: 'DELETE' })
  sessionState.set({ is: 'none', because: 'signed_out' })
  if (answer) location.assign(answer.provider_url)
}

/** Sends a request of the session; an answer that refuses the session ends it here, too. */
export async function authorized<T>(path: string, sent: Parameters<typeof request>[1] = {}): Promise<T> {
  const state = sessionState.get()
  const token = state.is === 'open' ? state.session.csrf_token : ''
  const headers = {
    ...(sent.method !== undefined && { 'X-CSRF-Token': token }),
    ...(wasHere() && { 'X-Person-Active': '1' }),
  }
  try {
    return await request<T>(path, { ...sent, headers: { ...headers, ...sent.headers } })
  } catch (error) {
    if (error instanceof RequestFailure && error.status === 401) sessionState.set({ is: 'none', because: 'ended' })
    throw error
  }
}
