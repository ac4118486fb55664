import { createContext, useMemo } from 'react'
import { currentOffline } from '../../../offline/current.ts'
import { dropDraftFile, readDraftFile, storeDraftFile } from '../../../view/kinds/form/drafts.ts'

/** The bytes of the files in a form that is not sent yet, by their Ids. */
export interface FormFiles {
  put(id: string, bytes: ArrayBuffer): void
  /** Undefined when this device does not have them. */
  bytes(id: string): Promise<ArrayBuffer | undefined>
  drop(id: string): void
}

/**
 * Keeps files at hand, and sealed beside the draft of the form, so that they are there after a restart. Without a draft (a preview) they are
 * forgotten with the page.
 */
export function makeFormFiles(draft: string | undefined): FormFiles {
  const held = new Map<string, ArrayBuffer>()
  const warn = (error: unknown) => console.warn('A file of a form could not be kept on this device.', error)
  return {
    put: (id, bytes) => {
      held.set(id, bytes)
      if (draft !== undefined) storeDraftFile(draft, id, bytes).catch(warn)
    },
    // What the office refused waits with its files in the store of the device.
    bytes: async (id) =>
      held.get(id) ?? (draft === undefined ? undefined : await readDraftFile(draft, id)) ?? currentOffline()?.store.files.bytes(id),
    drop: (id) => {
      held.delete(id)
      if (draft !== undefined) dropDraftFile(draft, id).catch(warn)
    },
  }
}

export const FormFilesContext = createContext<FormFiles>(makeFormFiles(undefined))
export const useFormFiles = (draft: string | undefined): FormFiles => useMemo(() => makeFormFiles(draft), [draft])
