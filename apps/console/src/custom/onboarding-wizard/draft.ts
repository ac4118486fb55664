import { isNetworkError } from '../../data/api.ts'
import { call } from '../../data/calls.ts'
import type { Row } from '../../data/records.ts'
import { cached, changeCached, putCached } from '../../offline/store/views-cache.ts'
import type { StepKey, WizardData } from './steps.ts'

/** An unfinished onboarding, as server and device keep it. */
export interface Draft {
  Id: string
  leadId?: string | null
  step: number
  furthest: number
  data: WizardData
  dateModified?: string
}

const localName = 'onboarding-draft'

/** The drafts of the signed-in person, from all devices; a newer copy on this device wins, without a connection only that. */
export async function listDrafts(): Promise<Draft[]> {
  const local = await cached<Draft | null>(localName)
  try {
    const found = (await call('leads.drafts')).data.drafts
    const isNewer = (draft: Draft) => local?.Id === draft.Id && (local.dateModified ?? '') > (draft.dateModified ?? '')
    const drafts = found.map((draft) => (local && isNewer(draft) ? local : draft))
    return local && !drafts.some((draft) => draft.Id === local.Id) ? [local, ...drafts] : drafts
  } catch (error) {
    if (!isNetworkError(error) || !local) throw error
    return [local]
  }
}

/** Saves a draft here (sealed) and at the server. False: the server did not answer, it is only on this device. */
export async function saveDraft(draft: Draft): Promise<boolean> {
  await putCached(localName, { ...draft, dateModified: new Date().toISOString() })
  const { Id, leadId = null, step, furthest, data } = draft
  try {
    await call('leads.createDraft', { body: { Id, leadId, step, furthest, data } })
    return true
  } catch (error) {
    if (isNetworkError(error)) return false
    throw error
  }
}

/** Forgets a draft; it is gone at the server already when the onboarding was sent. */
export async function dropDraft(id: string, options: { atServer: boolean }): Promise<void> {
  await changeCached<Draft | null>(localName, (local) => (local && local.Id !== id ? local : null))
  if (options.atServer) await call('leads.removeDraft', { params: { id } })
}

/** The steps of a lead that exists already. */
export function dataOfLead(lead: Row): WizardData {
  const pick = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, lead[name] ?? undefined]))
  return {
    person: pick(['firstName', 'lastName', 'idNumber', 'type']),
    contact: pick(['phonenumber', 'emailAddress', 'contactNumber']),
    employment: pick(['employer', 'empNumber']),
    address: pick(['lineone', 'city', 'state', 'postcode', 'country', 'latitude', 'longitude']),
  }
}

/** The body of the call that ends the wizard; empty values do not travel. */
export function bodyOf(data: WizardData, { leadId, draftId }: { leadId?: string; draftId: string }) {
  const filled = (key: StepKey) =>
    Object.fromEntries(Object.entries(data[key] ?? {}).filter(([, value]) => value !== undefined && value !== null && value !== ''))
  return {
    ...(leadId ? { leadId } : {}),
    draftId,
    person: filled('person'),
    contact: filled('contact'),
    employment: filled('employment'),
    address: filled('address'),
    affordability: filled('affordability'),
    consent: { send: data.consent?.send === true },
  }
}
