import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useSettled } from '../../fields/parts/use-options.ts'
import { isSame } from '../list/list-state.ts'
import { dropDraft, storeDraft, readDraft } from './drafts.ts'
import type { Draft } from './drafts.ts'

const savingPause = 1_000

/**
 * Keeps what is entered while it differs from the start, and offers what an earlier visit left. A draft on offer is not
 * written over until the user decides or enters something of their own.
 */
export function useDraft({
  key,
  values,
  isDirty,
  isReady,
}: {
  key: string
  values: Record<string, unknown>
  isDirty: boolean
  isReady: boolean
}) {
  const [offered, setOffered] = useState<Draft>()
  const isClosed = useRef(false)
  const settled = useSettled(JSON.stringify(values), savingPause)
  const readValues = useEffectEvent(() => values)
  useEffect(() => {
    let isGone = false
    isClosed.current = false
    const start = readValues()
    if (isReady)
      void readDraft(key).then(
        (draft) => {
          if (!isGone && draft && !isSame(draft.values, start)) setOffered(draft)
        },
        () => undefined,
      )
    return () => {
      isGone = true
    }
  }, [key, isReady])
  // Another key alone writes nothing: what is settled still belongs to the form before.
  const keep = useEffectEvent((text: string) => {
    // With the first key pressed the start is what is settled: that is no draft.
    const isCurrent = text === JSON.stringify(values)
    if (!isReady || isClosed.current || !isCurrent) return
    storeDraft(key, { at: new Date().toISOString(), values: JSON.parse(text) as Record<string, unknown> }).catch((error: unknown) =>
      console.warn('The draft could not be kept on this device.', error),
    )
  })
  useEffect(() => {
    if (isDirty) keep(settled)
  }, [settled, isDirty])
  const forget = () => {
    setOffered(undefined)
    return dropDraft(key).catch((error: unknown) => console.warn('The draft could not be removed.', error))
  }
  return {
    offered,
    decline: forget,
    accept: () => setOffered(undefined),
    /** The form was saved: nothing more is kept. */
    finish: () => {
      isClosed.current = true
      return forget()
    },
  }
}
