import { useEffect, useState } from 'preact/hooks'
import type { FoundRecordsJson } from '@quipu/wire'
import type { Live } from '../../api/live.ts'
import { RequestFailure } from '../../api/request.ts'
import { sha256Of } from '../../api/sha256.ts'
import { navigate, withQuery } from '../../route/router.ts'
import { authorized } from '../../api/session.ts'

const apiKey = /^qpu_(?:live|test|mock)_/
/** An operator's token, or the hash of a transaction. */
const hexDigits = /^[0-9a-f]{64}$/

/** Whether this text must be in no URL and in no request: its hash is searched for. */
export const mayBeSecret = (text: string): boolean => apiKey.test(text) || hexDigits.test(text)

/** The newest text that is no API key, until no operator's token has its hash. */
let undecided: { readonly hash: string; readonly text: string } | undefined

/** Searches by the hash of a text that may be a secret. */
export async function searchSecret(text: string): Promise<void> {
  const hash = await sha256Of(new TextEncoder().encode(text))
  undecided = apiKey.test(text) ? undefined : { hash, text }
  navigate(withQuery('/search', { hash }))
}

/** Searches by the text itself once no secret has its hash: it is the hash of a transaction. */
function searchText(hash: string): void {
  if (undecided?.hash !== hash) return
  const { text } = undecided
  undecided = undefined
  navigate(withQuery('/search', { q: text }), { replace: true })
}

type Found = Omit<Live<FoundRecordsJson>, 'reload'> & { readonly hash: string }

/** Whose the API key or operator's token with this SHA-256 is; sends nothing when it is empty. */
export function useFoundSecret(hash: string): Live<FoundRecordsJson> {
  const none: Found = { hash, data: undefined, failure: undefined, at: undefined }
  const [found, setFound] = useState(none)
  const [round, setRound] = useState(0)
  useEffect(() => {
    if (hash === '') return
    const stop = new AbortController()
    const sent = { method: 'POST', body: { hash }, signal: stop.signal } as const
    authorized<FoundRecordsJson>('/found-secrets', sent)
      .then((data) => {
        setFound({ hash, data, failure: undefined, at: new Date() })
        if (data.data.length === 0) searchText(hash)
      })
      .catch((failure: unknown) => {
        if (stop.signal.aborted) return
        if (!(failure instanceof RequestFailure)) throw failure
        setFound({ hash, data: undefined, failure, at: undefined })
      })
    return () => stop.abort()
  }, [hash, round])
  const { data, failure, at } = found.hash === hash ? found : none
  return { data, failure, at, reload: () => setRound((before) => before + 1) }
}
