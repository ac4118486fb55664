-- Every statement names its company, so that Postgres sees that each row of it is in here.
create index concurrently if not exists "loan_transaction_by_loan" on "loan_transaction"("companyId", "loanId", "bookedOn", "id") include ("kind", "principal", "interest", "fee", "insurance") where "companyId" is not null;
