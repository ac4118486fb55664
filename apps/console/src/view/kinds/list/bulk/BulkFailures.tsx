import { Modal } from 'antd'
import { t } from '../../../../session/labels.ts'
import type { BulkOutcome } from './bulk.ts'

interface BulkFailuresProps {
  label: string
  outcome: BulkOutcome
  names: ReadonlyMap<string, string>
  onClose: () => void
}
const maxShown = 200

/** Each row that was refused, by name, and why. */
export function BulkFailures({ label, outcome, names, onClose }: BulkFailuresProps) {
  const { failures, done } = outcome
  return (
    <Modal
      open
      title={`${t(label)}: ${failures.length} ${t('not done')}`}
      onOk={onClose}
      onCancel={onClose}
      cancelButtonProps={{ hidden: true }}
      okText={t('Close')}
      width={640}
    >
      <p>
        {done.length} {t('done')}, {failures.length} {t('refused')}.
      </p>
      <div className="bulk-failures" tabIndex={0} role="group" aria-label={t('Refused records')}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('Record')}</th>
              <th scope="col">{t('Why')}</th>
            </tr>
          </thead>
          <tbody>
            {failures.slice(0, maxShown).map(({ id, message, requestId }) => (
              <tr key={id}>
                <td>{names.get(id) || id}</td>
                <td>
                  {message}
                  {requestId ? (
                    <span className="view-request-id">
                      {t('Request')} <code>{requestId}</code>
                    </span>
                  ) : null}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        {failures.length > maxShown ? (
          <p>
            {t('and')} {failures.length - maxShown} {t('more')}
          </p>
        ) : null}
      </div>
    </Modal>
  )
}
