import { Progress } from 'antd'
import { t } from '../../../../session/labels.ts'

/** How much of a long action is done, drawn. */
export const ShareBar = ({ done, total }: { done: number; total: number }) => (
  <Progress percent={Math.round((100 * done) / total)} aria-label={t('Progress')} />
)
