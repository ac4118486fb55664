import { useCallback } from 'react'
import { useQuery } from '@tanstack/react-query'
import { getTenantId, getToken } from '../../../session/token.ts'

/** A stored picture, fetched with the session and shown from memory. */
export function StoredImage({ path, alt }: { path: string; alt: string }) {
  const { data } = useQuery({ queryKey: ['file', path], queryFn: ({ signal }) => fetchImage(path, signal), staleTime: Infinity })
  const show = useCallback(
    (image: HTMLImageElement) => {
      if (!data) return
      const url = URL.createObjectURL(data)
      image.src = url
      return () => URL.revokeObjectURL(url)
    },
    [data],
  )
  return data ? <img className="field-image" ref={show} alt={alt} /> : <span className="field-image" />
}

async function fetchImage(path: string, signal: AbortSignal): Promise<Blob> {
  const answer = await fetch(path, {
    signal,
    headers: { authorization: `Bearer ${getToken() ?? ''}`, 'x-tenant-id': getTenantId() ?? '' },
  })
  if (!answer.ok) throw new Error(`The picture could not be loaded (${answer.status}).`)
  return answer.blob()
}
