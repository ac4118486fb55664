import { lazy, Suspense } from 'react'
import { Button, Modal } from 'antd'
import { t } from '../../../../session/labels.ts'
import type { BulkProgress } from './bulk.ts'

const ShareBar = lazy(async () => ({ default: (await import('./ShareBar.tsx')).ShareBar }))

/** How far an action on many records is, with a way to stop it. */
export function BulkRunning({ label, done, failed, total, onStop }: BulkProgress & { label: string; onStop: () => void }) {
  return (
    <Modal open title={t(label)} closable={false} footer={<Button onClick={onStop}>{t('Stop')}</Button>}>
      <div className="bulk-share">
        <Suspense fallback={null}>
          <ShareBar done={done + failed} total={total} />
        </Suspense>
      </div>
      <p role="status">
        {done} {t('of')} {total} {t('done')}
        {failed > 0 ? `, ${failed} ${t('refused')}` : ''}
      </p>
    </Modal>
  )
}
