import { useEffect, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { getTenantId, getToken } from '../../../session/token.ts'

/** A stored picture, fetched with the session and shown from memory. */
export function StoredImage({ path, alt }: { path: string; alt: string }) {
  const { data } = useQuery({ queryKey: ['file', path], queryFn: ({ signal }) => fetchImage(path, signal), staleTime: Infinity })
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    if (!data) return
    const made = URL.createObjectURL(data)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [data])
  return url ? <img className="field-image" src={url} alt={alt} /> : <span className="field-image" />
}

async function fetchImage(path: string, signal: AbortSignal): Promise<Blob> {
  const answer = await fetch(path, {
    signal,
    headers: { authorization: `Bearer ${getToken() ?? ''}`, 'x-tenant-id': getTenantId() ?? '' },
  })
  if (!answer.ok) throw new Error(`The picture could not be loaded (${answer.status}).`)
  return answer.blob()
}
