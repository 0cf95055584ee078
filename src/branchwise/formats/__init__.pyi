from branchwise.formats.read import check_file as check_file
from branchwise.formats.read import check_text as check_text
from branchwise.formats.read import read_text as read_text
from branchwise.formats.schema_comment import SCHEMA_FILE as SCHEMA_FILE
from branchwise.formats.schema_comment import write_with_schema as write_with_schema
from branchwise.formats.write import write_text as write_text
