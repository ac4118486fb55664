import type { CallBody } from '@outpost/client/client'
import { clientParts } from '@outpost/rules/clients/client-merge'
import { leadParts } from '@outpost/rules/leads/lead-merge'
import type { MergePart } from '@outpost/rules/merge'
import { call } from '../../data/calls.ts'
import type { Row } from '../../data/records.ts'

interface Choice {
  winnerId: string
  loserId: string
  take: readonly string[]
}

/** What is merged: its parts, its calls and its words. */
export interface MergeKind {
  one: string
  parts: readonly MergePart[]
  read: (id: string, signal: AbortSignal) => Promise<Row>
  merge: (choice: Choice) => Promise<{ mergeId: string; message: string | undefined }>
  undo: (mergeId: string) => Promise<unknown>
  /** Where one is read. */
  open: (id: string) => string
  words: Readonly<Record<'missing' | 'title' | 'intro' | 'question' | 'done' | 'back', string>>
}

export const leads: MergeKind = {
  one: 'lead',
  parts: leadParts,
  read: async (id, signal) => (await call('leads.get', { params: { id } }, { signal })).data.lead,
  merge: async (body) => {
    const { data, message } = await call('leads.merge', { body: body as CallBody<'leads.merge'> })
    return { mergeId: data.merge.Id, message }
  },
  undo: (id) => call('leads.undoMerge', { params: { id } }),
  open: (id) => `/sales/leads/${id}/view`,
  words: {
    missing: 'One of the leads',
    title: 'Merge leads',
    intro: 'Choose the lead that stays. It keeps its activities and takes over those of the other, which is deleted.',
    question: 'Merge these leads?',
    done: 'The two leads are one now.',
    back: 'Both leads are back',
  },
}

export const clients: MergeKind = {
  one: 'client',
  parts: clientParts,
  read: async (id, signal) => (await call('clients.get', { params: { id } }, { signal })).data.client,
  merge: async (body) => {
    const { data, message } = await call('clients.merge', { body: body as CallBody<'clients.merge'> })
    return { mergeId: data.merge.Id, message }
  },
  undo: (id) => call('clients.undoMerge', { params: { id } }),
  open: (id) => `/clients/${id}/view`,
  words: {
    missing: 'One of the clients',
    title: 'Merge clients',
    intro: 'Choose the client that stays. It takes over loans, payments, papers and everything else of the other, which is deleted.',
    question: 'Merge these clients?',
    done: 'The two clients are one now.',
    back: 'Both clients are back',
  },
}
