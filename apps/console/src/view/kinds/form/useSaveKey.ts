import { useEffect, useRef } from 'react'

/** Ctrl+S (or Command+S) saves instead of offering the page as a file. */
export function useSaveKey(submit: () => void) {
  const latest = useRef(submit)
  latest.current = submit
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 's') return
      event.preventDefault()
      latest.current()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
}
