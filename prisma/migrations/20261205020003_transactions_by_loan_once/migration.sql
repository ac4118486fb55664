drop index concurrently if exists "loan_transaction_of_loan";
