-- Reads one piece of an export's file. Answers no row when the retention has removed the piece.
-- Postgres writes bytes as pairs of letters. One letter for each byte takes half of that memory. A file has
-- no byte 0, which would be no letter.
SELECT convert_from(content, 'LATIN1') AS letters FROM export_chunk
WHERE merchant_account_id = @merchantAccountId::text AND export_id = @id::uuid AND number = @number::int
