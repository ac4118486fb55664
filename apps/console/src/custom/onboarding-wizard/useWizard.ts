import { useEffect, useReducer, useRef, useState } from 'react'
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

/** Saves a moment after the last change, and at once when the page is left. */
function useAutosave(draft: Draft): { saving: Saving; markSent: () => void } {
  const [saving, setSaving] = useState<Saving>('none')
  const first = useRef(JSON.stringify(draft.data))
  const isSent = useRef(false)
  const content = JSON.stringify({ data: draft.data, step: draft.step, furthest: draft.furthest })
  const latest = useRef(draft)
  useEffect(() => {
    latest.current = draft
  })
  useEffect(() => {
    // An untouched wizard leaves no draft behind.
    if (JSON.stringify(latest.current.data) === first.current) return
    first.current = ''
    const save = async () => {
      if (isSent.current) return
      setSaving('saving')
      try {
        setSaving((await saveDraft(latest.current)) ? 'saved' : 'device')
      } catch (error) {
        console.warn('The draft was not taken by the server.', error)
        setSaving('device')
      }
    }
    const timer = setTimeout(() => void save(), pauseBeforeSaving)
    return () => clearTimeout(timer)
  }, [content])
  return {
    saving,
    markSent: () => {
      isSent.current = true
    },
  }
}
