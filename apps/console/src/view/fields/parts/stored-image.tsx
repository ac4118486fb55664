import { useCallback } from 'react'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../../data/api.ts'

/** A stored picture, fetched with the session and shown from memory. */
export function StoredImage({ path, alt }: { path: string; alt: string }) {
  const { data } = useQuery({ queryKey: ['file', path], queryFn: ({ signal }) => api.blob(path, { signal }), staleTime: Infinity })
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
