import { useEffect, useEffectEvent } from 'react'

/** Ctrl+S (or Command+S) saves instead of offering the page as a file. */
export function useSaveKey(submit: () => void) {
  const save = useEffectEvent(submit)
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 's') return
      event.preventDefault()
      save()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
}
