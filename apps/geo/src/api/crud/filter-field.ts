import type { Statement } from '@outpost/platform/types'

/** How a field is filtered; `time` compares `value`, which is then the time itself and not its text. A `tenant` means all below it too. */
export interface FilterField {
  kind: 'text' | 'boolean' | 'time' | 'id' | 'tenant'
  value?: Statement
}
