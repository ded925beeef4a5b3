" Vim and Neovim take these files for ChucK's, which `setfiletype` would not change.
autocmd BufNewFile,BufRead *.ck set filetype=ck
