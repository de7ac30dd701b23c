import { useEffect, useState } from 'preact/hooks'
import type { FoundRecordsJson } from '@quipu/wire'
import type { Live } from '../../api/live.ts'
import { RequestFailure } from '../../api/request.ts'
import { authorized } from '../../session/session.ts'

type Found = Omit<Live<FoundRecordsJson>, 'reload'> & { readonly hash: string }

/** Whose the API key with this SHA-256 is; asks nothing when it is empty. */
export function useFoundSecret(hash: string): Live<FoundRecordsJson> {
  const none: Found = { hash, data: undefined, failure: undefined, at: undefined }
  const [found, setFound] = useState(none)
  const [round, setRound] = useState(0)
  useEffect(() => {
    if (hash === '') return
    const stop = new AbortController()
    const sent = { method: 'POST', body: { hash }, signal: stop.signal } as const
    authorized<FoundRecordsJson>('/found-secrets', sent)
      .then((data) => setFound({ hash, data, failure: undefined, at: new Date() }))
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
