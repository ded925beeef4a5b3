autocmd BufNewFile,BufRead *.ck setfiletype ck
