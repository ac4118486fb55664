import { identifierSchema } from '@outpost/contract/input'
import { z } from 'zod'
import { defineArea, may, route } from '../../kernel/area.ts'
import { recordSchema } from '../../kernel/resource/answers.ts'
import { command, query } from '../../kernel/resource/operations.ts'
import { idInput } from '../../kernel/resource/schema.ts'
import { on } from '../../kernel/screens/panels.ts'
import { custom, screen } from '../../kernel/screens/screen.ts'
import { client, duplicatesAnswer, duplicatesPanel, mergesAnswer, mergesPanel } from '../clients/index.ts'
import * as handle from './client.merge.ts'

const own = { own: true }
const remove = may('CLIENTS/DELETE')
const full = () => recordSchema(client, 'detail')
const mergedAnswer = () => z.strictObject({ client: full(), merge: z.strictObject({ Id: identifierSchema }) })
const undoneAnswer = () => z.strictObject({ client: full(), restored: full(), kept: z.array(z.string()) })

/** Clients that are one person: found, made one with all that they have, and parted again. */
export const clientMergeArea = defineArea({
  name: 'clientMerge',
  routes: [
    route('clients.duplicates', 'GET', '/api/clients/:id/duplicates', may('CLIENTS'), query(idInput, handle.clientDuplicates, duplicatesAnswer), { own: true, summary: 'Clients that may be the same person' }),
    route('clients.merges', 'GET', '/api/clients/:id/merges', may('CLIENTS'), query(idInput, handle.clientMerges, mergesAnswer), own),
    route('clients.merge', 'POST', '/api/clients/merge', remove, command(handle.mergeInput, handle.mergeClients, mergedAnswer), { own: true, summary: 'Makes one client of two, with all that belongs to them' }),
    route('clients.undoMerge', 'POST', '/api/clients/merges/:id/undo', remove, command(idInput, handle.undoMerge, undoneAnswer), { own: true, summary: 'Parts two clients that were merged' }),
  ],
  panels: [
    on('client', duplicatesPanel({ one: 'client', route: 'clients.duplicates', open: '/clients/merge/:a/:b', statuses: client.fields['status']?.options })),
    on('client', mergesPanel({ one: 'client', many: 'clients', route: 'clients.merges', undo: 'clients.undoMerge' })),
  ],
  screens: [screen('/clients/merge/:a/:b', remove, custom('client-merge', 'Merge clients'))],
})
