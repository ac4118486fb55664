import { Tag } from 'antd'
import { fixLabels, type FixSource } from '@outpost/rules/places/fix-quality'
import type { IntegrityFlag } from '@outpost/rules/places/integrity'
import { t } from '../../session/labels.ts'
import type { Tone } from '../../theme/tones.ts'

/** The meaning of each grade of a position, the same on every screen. */
export const fixTones: Record<FixSource, Tone> = { live: 'good', cached: 'info', cached_old: 'warn', none: 'quiet' }

export const flagLabels: Record<IntegrityFlag, string> = {
  teleport: 'Jumped faster than 200 km/h',
  identical: 'The same coordinates ten times',
  inaccurate: 'Old position, used again',
  clock_skew: 'Clock more than 10 min wrong',
}

/** How much a position is worth, in words. */
export const FixTag = ({ source }: { source: FixSource }) => (
  <Tag className={`view-tag tag-${fixTones[source]}`}>{t(fixLabels[source])}</Tag>
)

/** What speaks against a position; nothing when nothing does. */
export const Doubts = ({ flags }: { flags: readonly IntegrityFlag[] }) => (
  <>
    {flags.map((flag) => (
      <Tag key={flag} className="view-tag tag-bad">
        {t(flagLabels[flag])}
      </Tag>
    ))}
  </>
)
