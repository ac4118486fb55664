import { useEffect, useEffectEvent, useReducer, useRef, useState } from 'react'
import type { CallBody } from '@outpost/client/client'
import { call } from '../../data/calls.ts'
import { keys } from '../../data/keys.ts'
import { queryClient } from '../../data/query-client.ts'
import { blockOf, blockOfRefusal, type Block } from './checks.ts'
import { bodyOf, dropDraft, saveDraft, type Draft } from './draft.ts'
import { progressAfter, startAt } from './progress.ts'
import { steps, type StepValues, type WizardData } from './steps.ts'

const pauseBeforeSaving = 800
export type Saving = 'none' | 'saving' | 'saved' | 'device'

/** The wizard at work: values, progress, autosave, checks and the call that ends it. */
export function useWizard(draft: Draft, { country, onSent }: { country: string; onSent: (leadId: string, message?: string) => void }) {
  const [data, setData] = useState<WizardData>(draft.data)
  const [progress, move] = useReducer(progressAfter, startAt(draft.step, draft.furthest))
  const [block, setBlock] = useState<Block | null>(null)
  const { saving, markSent } = useAutosave({ ...draft, data, step: progress.active, furthest: progress.furthest })
  const step = steps[progress.active] ?? steps[0]
  const leadId = draft.leadId ?? undefined

  const change = (values: StepValues) => {
    if (step) setData((before) => ({ ...before, [step.key]: { ...before[step.key], ...values } }))
  }
  const refuse = (found: Block) => {
    setBlock(found)
    const at = steps.findIndex(({ key }) => key === found.step)
    move({ kind: 'refused', error: found.error, ...(at >= 0 ? { at } : {}) })
  }

  async function next(): Promise<void> {
    if (!step || progress.isChecking) return
    setBlock(null)
    move({ kind: 'checking' })
    if (progress.active === steps.length - 1) return send()
    const found = await blockOf(step.key, data, { country, leadId })
    if (found) refuse(found)
    else move({ kind: 'passed' })
  }

  async function send(): Promise<void> {
    try {
      const answer = await call('leads.onboard', { body: bodyOf(data, { leadId, draftId: draft.Id }) as CallBody<'leads.onboard'> })
      markSent()
      await dropDraft(draft.Id, { atServer: false })
      await queryClient.invalidateQueries({ queryKey: keys.records('lead') })
      onSent(answer.data.lead.Id, answer.message)
    } catch (error) {
      refuse(blockOfRefusal(error))
    }
  }
  const back = () => {
    setBlock(null)
    move({ kind: 'back' })
  }
  const jump = (to: number) => {
    if (to > progress.furthest) return
    setBlock(null)
    move({ kind: 'jump', to })
  }
  return { data, progress, step, block, saving, change, next, back, jump }
}

/** Saves a moment after the last change, and at once when the page is left. "Saved" is said of what is shown, not of what was there before. */
function useAutosave(draft: Draft): { saving: Saving; markSent: () => void } {
  const content = JSON.stringify({ data: draft.data, step: draft.step, furthest: draft.furthest })
  // An untouched wizard leaves no draft behind.
  const [untouched] = useState(() => JSON.stringify(draft.data))
  const [isTouched, setIsTouched] = useState(false)
  if (!isTouched && JSON.stringify(draft.data) !== untouched) setIsTouched(true)
  const [kept, setKept] = useState<{ content: string; where: Saving }>({ content, where: 'none' })
  const isSent = useRef(false)
  const save = useEffectEvent(async () => {
    if (isSent.current || kept.content === content) return
    try {
      setKept({ content, where: (await saveDraft(draft)) ? 'saved' : 'device' })
    } catch (error) {
      console.warn('The draft was not taken by the server.', error)
      setKept({ content, where: 'device' })
    }
  })
  useEffect(() => {
    if (!isTouched) return undefined
    const timer = setTimeout(() => void save(), pauseBeforeSaving)
    return () => clearTimeout(timer)
  }, [content, isTouched])
  useEffect(() => {
    if (!isTouched) return undefined
    const leave = () => void save()
    addEventListener('pagehide', leave)
    return () => {
      removeEventListener('pagehide', leave)
      leave()
    }
  }, [isTouched])
  return {
    saving: !isTouched ? 'none' : kept.content === content ? kept.where : 'saving',
    markSent: () => {
      isSent.current = true
    },
  }
}
