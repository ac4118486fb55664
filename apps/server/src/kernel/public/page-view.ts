import type { FieldDefinition } from '../types.ts'

/** A field of a public page's form. */
export type PageField = Pick<FieldDefinition, 'label' | 'help' | 'required' | 'maxLength' | 'options'> & {
  kind: 'text' | 'longText' | 'personName' | 'email' | 'phone' | 'number' | 'date' | 'boolean' | 'choice'
}
/** What a public page shows: plain texts, facts and at most one form. */
export interface PageView {
  title: string
  paragraphs?: readonly string[]
  /** A drawing as SVG that code made; nothing of it is another's text unless it was escaped. `alt` says what it shows. */
  picture?: { svg: string; alt: string }
  links?: readonly { label: string; href: string }[]
  /** The page asks for itself again after so many seconds: what it shows is where something is now. */
  refreshSeconds?: number
  /** Labels and values. */
  facts?: Readonly<Record<string, string>>
  form?: {
    fields?: Readonly<Record<string, PageField>>
    /** Buttons that send the form, each with a value of its own where it has a name. */
    buttons: readonly { label: string; isMain?: boolean; name?: string; value?: string }[]
  }
  /** A form that goes on to another program at once, and by its button where that does not happen. */
  handOn?: { url: string; fields: Readonly<Record<string, string>>; label: string }
}
